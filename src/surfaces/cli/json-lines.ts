import { createInterface, type Interface } from 'node:readline'
import { Transform, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Reads lines of JSON. Node also ends a line at U+2028 and U+2029, which may stand in a JSON string, so they are escaped. */
export const jsonLines = (input: Readable): Interface =>
  createInterface({ input: input.pipe(escapeSeparators()), crlfDelay: Infinity })

function escapeSeparators(): Transform {
  const decoder = new StringDecoder('utf8')
  const escapeText = (text: string): string => text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, escapeText(decoder.write(chunk))),
    flush: done => done(null, escapeText(decoder.end())),
  })
}
