import { createReadTool } from '../../src/contracts.ts'

/** Run as a process of its own in a workspace: reads a file by a tool of a document. */
const context = { cwd: process.cwd(), quotas: { timeoutMs: 60_000 } }
const { ok, error } = await createReadTool().execute({ file: 'notes.txt' }, context)
if (!ok) throw new Error(error?.message)
