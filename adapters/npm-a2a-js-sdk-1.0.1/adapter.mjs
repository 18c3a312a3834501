// Adapter for `@a2a-js/sdk` 1.0.1 from npm. `cards.mjs`, in the folder for 1.3.0, says how cards get in and out.

import * as sdk from "@a2a-js/sdk";

import { serveCards } from "../npm-a2a-js-sdk-1.3.0/cards.mjs";

serveCards(sdk, import.meta.resolve("@a2a-js/sdk"));
