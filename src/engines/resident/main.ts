import { runResident } from './run-resident.ts'
import { readSettings } from './settings.ts'

// Nothing that this process makes is for other users.
process.umask(0o077)
process.title = 'toolwright resident'
const [, , settings = ''] = process.argv
await runResident(readSettings(settings), process.env, async context =>
  (await import('./open-parts.ts')).openParts(context),
)
process.exit()
