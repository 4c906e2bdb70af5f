import { openEmbeddedStore } from '../../src/knowledge/memory/embedded/embedded-store.ts'
import { wordEmbedder } from './word-embedder.ts'

// Writes and searches until it is ended. Says each id once it is stored, and each fix that it cannot find again.
const [file = '', name = ''] = process.argv.slice(2)
const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact: text => text })
const never = new AbortController().signal
const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.once('SIGTERM', () => void store.close().then(() => process.exit(0)))
for (let at = 0; ; at++) {
  const id = `${name}-${at}`
  const fix = { id, errorDescription: `Error ${name} ${at}`, rootCause: `cause ${at}`, solution: `remedy ${name}` }
  await store.add(fix, { evenIfSimilar: true }, never)
  say(`stored ${id}`)
  const { results } = await store.search({ text: `${fix.errorDescription} cause ${at}`, limit: 3 }, never)
  if (!results.some(({ fix: found }) => found.id === id)) say(`lost ${id}`)
  if (at % 5 === 4) {
    await store.remove(`${name}-${at - 2}`, never)
    say(`removed ${name}-${at - 2}`)
  }
  // A signal is heard between two rounds.
  await new Promise(resolve => setImmediate(resolve))
}
