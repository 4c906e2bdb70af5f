// @ts-check
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'
import { say } from './say.mjs'

/** @typedef {'bubblewrap' | 'strace' | 'git' | 'clangd' | 'python3' | 'build-essential' | 'jq' | 'tmux' | 'less' | 'zsh' | 'fish' | 'faketime' | 'chromium' | 'fonts-inter' | 'fonts-jetbrains-mono'} SystemPackage */

/**
 * The program of each package, or a file of it.
 * @type {Readonly<Record<SystemPackage, string>>}
 */
const programs = {
  bubblewrap: 'bwrap',
  strace: 'strace',
  git: 'git',
  clangd: 'clangd',
  python3: 'python3',
  'build-essential': 'cc',
  jq: 'jq',
  tmux: 'tmux',
  less: 'less',
  zsh: 'zsh',
  fish: 'fish',
  faketime: 'faketime',
  chromium: 'chromium',
  'fonts-inter': '/usr/share/fonts/opentype/inter/Inter-Regular.otf',
  'fonts-jetbrains-mono': '/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf',
}

/** The system packages that each command needs; others need none. */
export const wanted = /** @type {const} */ ({
  start: ['bubblewrap'],
  clients: ['bubblewrap', 'git', 'tmux'],
  screenshots: ['chromium', 'fonts-inter', 'fonts-jetbrains-mono'],
  test: [
    'bubblewrap',
    'strace',
    'git',
    'clangd',
    'python3',
    'build-essential',
    'jq',
    'tmux',
    'less',
    'zsh',
    'fish',
    'faketime',
    'chromium',
    'fonts-inter',
    'fonts-jetbrains-mono',
  ],
})

/**
 * Returns the missing packages, by looking for their programs on PATH or for their file.
 * @param {readonly SystemPackage[]} packages
 * @returns {SystemPackage[]}
 */
export const missing = packages => packages.filter(name => !isThere(programs[name]))

/**
 * Installs missing packages as root on Debian or Ubuntu; otherwise prints the command for it.
 * Never fails: returns the packages that could not be installed, and the caller continues.
 * @param {readonly SystemPackage[]} packages
 * @returns {Promise<SystemPackage[]>}
 */
export const provide = async packages => {
  const absent = missing(packages)
  if (absent.length === 0) return []
  if (!isRoot() || !isDebian() || process.env['TOOLWRIGHT_NO_APT'] === '1') {
    say(`Not installed: ${absent.join(', ')}. ${howTo(absent)}`)
    return absent
  }
  say(`Installing system packages with apt-get: ${absent.join(', ')}`)
  if (!(await aptInstall(absent))) {
    const still = missing(packages)
    say(`apt-get could not install ${still.join(', ')}. ${howTo(still)}`)
    return still
  }
  return missing(packages)
}

/**
 * Returns the command that installs these packages on this machine.
 * @param {readonly SystemPackage[]} packages
 */
export const howTo = packages => {
  if (process.platform !== 'linux') return 'Toolwright uses them on Linux only.'
  const sudo = isRoot() ? '' : 'sudo '
  const manager = managers.find(([program]) => onPath(program))
  if (!manager) return 'Install them with the package manager of your system.'
  return `Install with: ${sudo}${manager.join(' ')} ${packages.join(' ')}`
}

/** @type {readonly (readonly [string, string])[]} */
const managers = [
  ['apt-get', 'install -y'],
  ['dnf', 'install -y'],
  ['pacman', '-S --noconfirm'],
  ['zypper', 'install -y'],
  ['apk', 'add'],
]

/** @param {readonly string[]} packages */
const aptInstall = async packages => {
  const options = ['-y', '-qq', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  /** @param {readonly string[]} names */
  const install = async names =>
    (await run('apt-get', [...options, 'install', '--no-install-recommends', ...names], { env })).code === 0
  if (await install(packages)) return true
  // Updates the package lists only if there are none, as in fresh images.
  await run('apt-get', [...options, 'update'], { env })
  if (await install(packages)) return true
  // An unavailable package must not block the others.
  let isComplete = true
  for (const name of packages) isComplete = (await install([name])) && isComplete
  return isComplete
}

const isRoot = () => process.getuid?.() === 0

const isDebian = () => {
  if (!onPath('apt-get') || !existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** @param {string} program */
const isThere = program => (program.startsWith('/') ? existsSync(program) : onPath(program))

/** @param {string} program */
const onPath = program =>
  (process.env['PATH'] ?? '').split(delimiter).some(folder => folder !== '' && isExecutable(join(folder, program)))

/** @param {string} file */
const isExecutable = file => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
