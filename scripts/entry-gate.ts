import { keepingCompiled, LATE_CHUNK } from './compiled-code.ts'

/** Stands for the name of the build, which is known when everything is built. */
export const BUILD_MARK = 'name-of-this-build'

/** The oldest Node that runs us. */
const OLDEST = 24

const isOld = `Number.parseInt(process.versions.node) < ${OLDEST}`
const needed = `'toolwright needs Node ${OLDEST} or newer; this is Node ' + process.versions.node`

/**
 * An entry of the library: it says what is needed before anything is loaded that an older Node cannot read. Modules are
 * linked before any of them runs, so what comes after the check has to be imported by it.
 */
export const libraryGate = (file: string, names: readonly string[]): string => `if (${isOld})
  throw new Error(${needed} + '.')
const entry = await import('./${file}')
export const { ${names.toSorted().join(', ')} } = entry
`

/** The same for `require`, which takes no module that waits for another. */
export const requireGate = (file: string): string => `if (${isOld})
  throw new Error(${needed} + '.')
module.exports = require('./${file}')
`

/**
 * Keeps what was compiled once. Compiled code is code, so it lies beside the file it comes from and nowhere else, since
 * anyone who may write there may change the program itself. The folder is private, because Node's own folders in it have
 * the mode that a user's umask gives. Without write access nothing is stored.
 */
export const keepCompiled = `try {
  require('node:fs').mkdirSync(__dirname + '/compiled', { recursive: true, mode: 0o700 })
  require('node:module').enableCompileCache(__dirname + '/compiled')
} catch {}`

/**
 * Begins the command. On an older Node it hands over to the newer one that the set-up of a clone brought along, or says
 * what is needed.
 */
export const commandGate = (packages: Readonly<Record<string, string>>): string => `#!/usr/bin/env node
if (${isOld}) {
  const name = ${JSON.stringify(packages)}[process.platform + '-' + process.arch]
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const newer = name && require('node:path').join(__dirname, '..', 'tools', 'node', 'node_modules', name, 'bin', program)
  if (!newer || !require('node:fs').existsSync(newer)) {
    process.stderr.write(${needed} + (newer ? ', and none is at ' + newer : '') + '.\\n')
    process.exit(2)
  }
  const child = require('node:child_process').spawn(newer, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal === 'SIGINT' || child.kill(signal))
  child.on('error', error => {
    process.stderr.write(newer + ' does not start: ' + error.message + '\\n')
    process.exit(2)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 128 + require('node:os').constants.signals[signal] : code))
  return
}
${keepCompiled}
require = (${keepingCompiled})(require, __dirname, '${BUILD_MARK}', '${LATE_CHUNK}')`
