import { runResident } from './run-resident.ts'
import { readSettings } from './settings.ts'

// Nothing that this process makes is for other users.
process.umask(0o077)
const [, , settings = ''] = process.argv
const why = await runResident(readSettings(settings), process.env, async context =>
  (await import('./open-parts.ts')).openParts(context),
)
// Into its log, for whoever wonders.
process.stderr.write(`${new Date().toISOString()} process ${process.pid} ended: ${why}\n`)
process.exit()
