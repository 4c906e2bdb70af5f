import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { verifyJournal } from '../../machine/journal/verify.ts'
import { projectConfig, userConfig, USER_FILE } from '../../machine/state/config-file.ts'
import { configDirectory, stateDirectory, type Environment } from '../../machine/state/directory.ts'
import { stateSize } from '../../machine/upkeep/state-size.ts'
import { trustOf } from '../../machine/state/trust.ts'
import { diskError } from '../../machine/workspace/disk-error.ts'
import { probePaths } from '../../machine/workspace/probe-paths.ts'
import { ToolError } from '../../kernel/error.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { formatBytes } from '../render/format-bytes.ts'
import { commands } from './doctor-commands.ts'
import { resident } from './doctor-resident.ts'
import { languageServers } from './doctor-servers.ts'
import type { Finding } from './doctor-finding.ts'
import type { Colour } from '../render/paint.ts'
import { workspaceOf } from './find-workspace.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { configurationOf, EXIT, parse } from './usage.ts'
import { loadLadybug } from '../../knowledge/code/graph/database/ladybug.ts'

const MARKS: Readonly<Record<Finding['state'], readonly [Colour, string]>> = {
  good: ['green', '✓'],
  limited: ['yellow', '!'],
  bad: ['red', '✗'],
}

/**
 * `toolwright doctor`: reports what protects you on this machine and what does not. Exits with 1 if something is
 * broken.
 */
export async function doctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse('doctor', args, {})
  const root = workspaceOf(terminal, values)
  const findings = await runCheck('Paths', () => [paths(root)])
  const workspaceFailures = await runCheck('Workspace', async () => {
    const kit = await openToolkit({ root, env: terminal.env, ...configurationOf(values) })
    try {
      findings.push(...(await insideOf(kit, terminal.env)))
    } finally {
      await kit.close()
    }
    return []
  })
  if (workspaceFailures.length > 0)
    findings.push(...workspaceFailures, ...(await runCheck('State', () => [size(stateDirectory(terminal.env))])))
  if (values.json) say(terminal, jsonLine(findings))
  else
    for (const { state: how, about, text } of findings) {
      const [colour, mark] = MARKS[how]
      say(terminal, `${painter(terminal)(colour, mark)} ${about}: ${sanitize(text, { max: 2000 })}`)
    }
  return findings.some(finding => finding.state === 'bad') ? EXIT.failed : EXIT.ok
}

/** Returns what the doctor finds in an open workspace. */
export const findingsOf = async (kit: Toolkit, env: Environment): Promise<Finding[]> => [
  ...(await runCheck('Paths', () => [paths(kit.root)])),
  ...(await insideOf(kit, env)),
]

async function insideOf(kit: Toolkit, env: Environment): Promise<Finding[]> {
  return [
    ...(await runCheck('Commands', () => commands(kit, env))),
    ...(await runCheck('Commits', () => [commits(kit)])),
    ...(await runCheck('Journal', () => [journal(kit)])),
    ...(await runCheck('State', () => [state(kit)])),
    ...(await runCheck('Budgets', () => budgets(kit))),
    ...(await runCheck('Resident', () => resident(kit))),
    ...(await runCheck('Languages', () => languageServers(kit, env))),
    ...(await runCheck('Graphs', () => graphDatabase())),
    ...(await runCheck('Packages', () => installedPrograms())),
    ...(await runCheck('Approvals', () => approvals(kit))),
    ...(await runCheck('Configuration', () => configuration(kit, env))),
  ]
}

/** A check that fails is a finding too, and does not hide the others. */
async function runCheck(about: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    // An invalid configuration is reported with its location, as everywhere.
    if (error instanceof ToolError && error.code === 'invalid_input') throw error
    return [{ state: 'bad', about, text: inWords(error) }]
  }
}

function inWords(error: unknown): string {
  const { path } = Object(error)
  const failure = typeof path === 'string' ? diskError(error, path) : error
  if (failure instanceof ToolError) return failure.hint ? `${failure.message}; ${failure.hint}` : failure.message
  return failure instanceof Error ? failure.message : String(failure)
}

function paths(root: string): Finding {
  const problem = probePaths(root)
  if (problem !== undefined) return { state: 'bad', about: 'Paths', text: problem }
  const text = 'files are reached through held descriptors, so a link that is swapped in during a call leads nowhere'
  return { state: 'good', about: 'Paths', text: `${text}; tried out just now` }
}

async function approvals({ workspace }: Toolkit): Promise<Finding[]> {
  const denials = workspace.hasDenials() ? Object.values(await workspace.denials()) : []
  return [...Object.values(workspace.approvals), ...denials].flatMap(shelf => {
    const problem = shelf.problem()
    return problem
      ? [{ state: 'bad' as const, about: 'Approvals', text: `${problem.message} ${problem.hint ?? ''}` }]
      : []
  })
}

/** Reports only problems; `toolwright budget` shows the rest. */
function budgets({ workspace: { ledger, state: places } }: Toolkit): Finding[] {
  // Querying creates the file, which most workspaces do not need.
  if (existsSync(places.ledger)) ledger.all()
  return []
}

function commits({ workspace }: Toolkit): Finding {
  const text = workspace.store.describe()
  const inside = workspace.store.active().path.startsWith(join(workspace.root.path, '.toolwright'))
  return { state: inside ? 'limited' : 'good', about: 'Commits', text: `atomic, and undone by id. ${text}` }
}

function journal({ workspace, state: places }: Toolkit): Finding {
  // Repairs a half-written record after a crash, so that only real damage is reported.
  workspace.journal.head()
  const { ok, records, problems } = verifyJournal(places.journal, { headFile: places.head })
  if (ok)
    return {
      state: 'good',
      about: 'Journal',
      text: `${countOf(records, 'record')} in ${places.journal}, whole and in order`,
    }
  return {
    state: 'bad',
    about: 'Journal',
    text: `changed or damaged: ${problems[0]?.what ?? 'unknown'}; see toolwright log verify`,
  }
}

/** Checks that need no configuration. */
const size = (home: string): Finding => ({
  state: 'limited',
  about: 'State',
  text: `${home} takes ${formatBytes(stateSize(home).bytes)}`,
})

function state({ state: { home }, config }: Toolkit): Finding {
  const { bytes, workspaces } = stateSize(home)
  const { maxBytes } = config.config.state
  const text = `${home} takes ${formatBytes(bytes)} of ${formatBytes(maxBytes)} for ${countOf(workspaces.length, 'workspace')}${bytes > maxBytes ? '; run toolwright gc' : ''}`
  return { state: bytes > maxBytes ? 'limited' : 'good', about: 'State', text }
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function configuration({ root, config }: Toolkit, env: Environment): Finding[] {
  const projectFile = projectConfig(root)
  const trust = projectFile && trustOf(configDirectory(env), projectFile.path, projectFile.hash)
  const { defaults } = config.config.policy
  const policy: Finding = {
    state: defaults.write === 'allow' || defaults.exec === 'allow' ? 'limited' : 'good',
    about: 'Policy',
    text: `${Object.entries(defaults)
      .map(([action, verdict]) => `${action} ${verdict}`)
      .join(', ')}; .git, .sage and our own state are never written by file tools`,
  }
  const home = configDirectory(env)
  const userFinding: Finding = {
    state: 'good',
    about: 'Configuration',
    text: `yours is ${join(home, USER_FILE)}${userConfig(home) ? '' : ', which does not exist: the defaults hold'}`,
  }
  if (!projectFile) return [policy, userFinding]
  const words = {
    trusted: 'the project has a toolwright.json, and you trust it as it is',
    changed: 'the project has a toolwright.json that changed since you trusted it: it only narrows (toolwright trust)',
    unknown: 'the project has a toolwright.json that you have not trusted: it only narrows (toolwright trust)',
  }
  const notes = config.notes.map((note): Finding => ({ state: 'limited', about: 'Configuration', text: note }))
  return [
    policy,
    userFinding,
    { state: trust === 'trusted' ? 'good' : 'limited', about: 'Configuration', text: words[trust ?? 'unknown'] },
    ...notes,
  ]
}

/** Reports whether code graphs work here. */
async function graphDatabase(): Promise<Finding[]> {
  const about = 'Graphs'
  try {
    await loadLadybug()
    return [{ state: 'good', about, text: 'the database for code graphs is installed' }]
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return [{ state: 'limited', about, text: `${error.message}: ${error.hint}` }]
  }
}

/** Packages with a program for each platform, and their use. npm skips them with other optional packages. */
const PROGRAMS: readonly (readonly [name: string, need: string, load: () => Promise<unknown>])[] = [
  ['@vscode/ripgrep', 'searching', () => import('@vscode/ripgrep')],
  ['oxc-parser', 'JavaScript and TypeScript', () => import('oxc-parser')],
  ['@lydell/node-pty', 'commands on a terminal', () => import('@lydell/node-pty')],
]

/** Reports packages installed without their program for this platform. */
async function installedPrograms(): Promise<Finding[]> {
  const about = 'Packages'
  const faults = await Promise.all(
    PROGRAMS.map(async ([name, need, load]): Promise<Finding[]> => {
      const isThere = await load().then(
        () => true,
        () => false,
      )
      if (isThere) return []
      const text = `${need}: ${name} has no program for ${process.platform}-${process.arch} here: npm install --include=optional`
      return [{ state: 'limited', about, text }]
    }),
  )
  const good: Finding = { state: 'good', about, text: 'those with a program for this platform are whole' }
  return faults.some(fault => fault.length > 0) ? faults.flat() : [good]
}
