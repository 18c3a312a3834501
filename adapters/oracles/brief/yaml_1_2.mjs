// Holds the corpus's front matter against npm yaml, a YAML 1.2 library that shares no code with the oracle:
// `python3 check_corpus.py --front-matter | node yaml_1_2.mjs`. Values that must be read are read alike, and front matter that
// must be refused as no mapping, or for a key that stands twice, is an error or no mapping to it too.

import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const cases = JSON.parse(readFileSync(0, 'utf8'));
let faults = 0;
const fault = (id, what) => { faults += 1; console.log(`FAULT  ${id}: ${what}`); };

for (const { id, front, refused, values } of cases) {
  const documents = parseAllDocuments(front, { version: '1.2', uniqueKeys: true });
  const error = documents.length === 1 ? documents[0].errors[0]?.message : `${documents.length} documents`;
  let read;
  try {
    read = error ? undefined : documents[0].toJS({ maxAliasCount: 0 });
  } catch {
    read = undefined;
  }
  const mapping = read !== null && typeof read === 'object' && !Array.isArray(read);
  if (refused) {
    if (mapping) fault(id, `is read as ${JSON.stringify(read)}`);
  } else if (!mapping) {
    fault(id, `is not read: ${error?.split('\n')[0]}`);
  } else {
    for (const [name, value] of Object.entries(values)) {
      if (JSON.stringify(read[name]) !== JSON.stringify(value)) {
        fault(id, `${name} is ${JSON.stringify(read[name])}, expected ${JSON.stringify(value)}`);
      }
    }
  }
}
console.log(`${cases.length} front matters, ${faults} faults`);
process.exitCode = faults === 0 && cases.length > 0 ? 0 : 1;
