// Adapter for `@a2a-js/sdk` 1.3.0 from npm. `cards.mjs` says how cards get in and out.

import * as sdk from "@a2a-js/sdk";

import { serveCards } from "./cards.mjs";

serveCards(sdk, import.meta.resolve("@a2a-js/sdk"));
