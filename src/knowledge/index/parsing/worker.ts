import { fileURLToPath } from 'node:url'
import { parserThread } from '../../parser/parser-thread.ts'

await parserThread(fileURLToPath(import.meta.url), async () => (await import('./parse-files.ts')).parseFiles)
