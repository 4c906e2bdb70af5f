import { isMetricsFile } from '../../contracts/superconnect/metrics-file.ts'
import { runResident } from '../../engines/resident/run-resident.ts'
import { readSettings } from '../../engines/resident/settings.ts'
import { compileGlob } from '../../guards/glob.ts'

// Nothing that this process makes is for other users.
process.umask(0o077)
const [, , settings = ''] = process.argv
/** Into its log, for whoever wonders. */
const note = (what: string): void => {
  process.stderr.write(`${new Date().toISOString()} process ${process.pid} ${what}\n`)
}
// A defect anywhere ends the process: whoever asks goes on without it, and the next one starts a new one.
process.on('uncaughtException', error => {
  note(`failed: ${error.message}\n${error.stack}`)
  process.exit(1)
})
note(`ended: ${await runResident(readSettings(settings), process.env, { compileGlob, isForeign: isMetricsFile })}`)
process.exit()
