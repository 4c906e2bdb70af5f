import { redirectionConcern } from './harmless-redirection.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import { programOf } from './programs/programs.ts'
import { readArguments } from './programs/read-arguments.ts'
import { startedCommands } from './started-commands.ts'
import { literalOf, type Simple, type Word } from './script.ts'

/** The visible effects of a line. */
interface LineEffects {
  /** A command in it is known to connect to other machines. */
  readonly connects: boolean
  /** The hosts that the line names. */
  readonly hosts: readonly string[]
  /** Files that its redirections write, as they are spelled. */
  readonly files: readonly string[]
}

/** Describes a line for the person who decides about it, including wrappers and inner scripts. */
export function lineEffects(line: string): LineEffects {
  const script = parseLine(line)
  const hostLists = startedCommands(script).commands.map(argv => hostsOf(argv.map(({ text }) => text)))
  return {
    connects: hostLists.some(hosts => hosts !== undefined),
    hosts: [...new Set(hostLists.flatMap(hosts => hosts ?? []))],
    // After `cd`, a name belongs to another directory.
    files: script.commands.some(moves) ? [] : [...new Set(script.commands.flatMap(writtenBy))],
  }
}

const moves = ({ words: [first] }: Simple): boolean =>
  first !== undefined && ['cd', 'pushd', 'popd'].includes(literalOf(first) ?? '')

const writtenBy = ({ redirections }: Simple): readonly string[] =>
  redirections.flatMap(redirection =>
    redirection.operator.includes('>') && redirectionConcern(redirection) !== undefined
      ? [literalOf(redirection.target) ?? redirection.target.source]
      : [],
  )

/** Programs that take web addresses, one host, or files of other machines. */
const WEB = new Set(['curl', 'wget'])
const ONE_HOST = new Set(['ssh', 'sftp', 'ftp', 'telnet', 'nc', 'ncat', 'ping'])
const COPIES = new Set(['scp', 'rsync'])
const GIT_CONNECTS = /^(fetch|pull|push|clone|ls-remote|remote update|submodule (update|add))\b/

/** Returns the hosts that a command names; undefined if it is not known to connect. */
function hostsOf([program = '', ...words]: readonly string[]): readonly string[] | undefined {
  const name = programName(program)
  const operands = operandsOf(name, words)
  if (WEB.has(name)) return operands.flatMap(text => webHost(text) ?? [])
  if (ONE_HOST.has(name)) return operands.flatMap(text => remoteHost(text) ?? plainHost(text) ?? []).slice(0, 1)
  if (name === 'git' && !GIT_CONNECTS.test(operands.join(' '))) return undefined
  const hosts = operands.flatMap(text => remoteHost(text) ?? [])
  return name === 'git' || (COPIES.has(name) && hosts.length > 0) ? hosts : undefined
}

function operandsOf(name: string, words: readonly string[]): readonly string[] {
  const program = programOf(name)
  if (!program) return words.filter(text => !text.startsWith('-'))
  return readArguments(program, [name, ...words].map(asWord)).operands.map(({ word }) => word.source)
}

const asWord = (text: string): Word => ({ source: text, pieces: [{ kind: 'text', text, quoted: true }], brace: false })

const webHost = (text: string): string | undefined =>
  URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)?.host

/** Returns the host of `ssh://host/path` and of `name@host:path`. */
const remoteHost = (text: string): string | undefined =>
  /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/?#]+)/i.exec(text)?.[1] ?? /^(?:[^@/:]+@)?([\w.-]{2,}):/.exec(text)?.[1]

/** A bare number is the value of an option, or a port. */
const plainHost = (text: string): string | undefined => /^(?:[^@/]+@)?(\w[\w.-]*[A-Za-z.][\w.-]*)$/.exec(text)?.[1]
