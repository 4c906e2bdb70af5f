import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { modelEmbedder } from '../../src/knowledge/memory/embed/model-embedder.ts'
import { ownModel } from '../../src/knowledge/memory/embed/model-files.ts'

// Embeds, counts its threads until that of the model is gone, embeds again and ends without closing anything.
const threads = (): number => readdirSync('/proc/self/task').length
const before = threads()
const embedder = modelEmbedder(ownModel(), 200)
const never = new AbortController().signal
await embedder.embed(['a text'], never)
const during = threads()
while (threads() >= during) await setTimeout(50)
await embedder.embed(['a text'], never)
void embedder.embed(Array<string>(10_000).fill('a text'), never, { isBackground: true }).catch(() => {})
console.log(JSON.stringify({ before, during }))
