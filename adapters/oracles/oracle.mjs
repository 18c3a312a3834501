// The JavaScript half of cross_check.py: one JSON request a line in, one JSON answer a line out.
import { createInterface } from 'node:readline'
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { ed25519 } from '@noble/curves/ed25519.js'

const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'))
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

const work = {
  canonicalize ({ document }) {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes(document))
    return Buffer.from(canonicalize(JSON.parse(text)), 'utf8').toString('base64')
  },
  sign ({ message, seed }) {
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, bytes(seed)]), format: 'der', type: 'pkcs8' })
    return sign(null, bytes(message), key).toString('base64')
  },
  verify ({ message, signature, key }) {
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI, bytes(key)]), format: 'der', type: 'spki' })
    return verify(null, bytes(message), publicKey, bytes(signature))
  },
  zip215 ({ message, signature, key }) {
    return ed25519.verify(bytes(signature), bytes(message), bytes(key), { zip215: true })
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let answer
  try {
    answer = { ok: work[request.op](request) }
  } catch (error) {
    answer = { error: String(error.message).slice(0, 200) }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
