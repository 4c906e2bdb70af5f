import { OWN_FILES } from '../../contracts/load-contract.ts'
import { runResident } from '../../service/run-resident.ts'
import { readSettings } from '../../service/settings.ts'
import { foreignFiles } from '../../knowledge/search/foreign-files.ts'
import { compileGlob } from '../../guards/glob.ts'
import { deniedBy } from '../../guards/policy/denied-reading.ts'

// Files of this process are private to the user.
process.umask(0o077)
const [, , settings = ''] = process.argv
/** Writes to its log. */
const note = (what: string): void => {
  process.stderr.write(`${new Date().toISOString()} process ${process.pid} ${what}\n`)
}
// A defect ends the process: callers continue without it, and the next one starts a new one.
process.on('uncaughtException', error => {
  note(`failed: ${error.message}\n${error.stack}`)
  process.exit(1)
})
const isForeign = foreignFiles(...OWN_FILES).matches
void runResident(readSettings(settings), process.env, { compileGlob, isForeign, deniedBy }).then(why => {
  note(`ended: ${why}`)
  process.exit()
})
