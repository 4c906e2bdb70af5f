import { say, type Terminal } from '../terminal.ts'
import { EXIT, parse, UsageError } from '../usage.ts'
import { completedCommands } from './completed-commands.ts'
import { bashScript, fishScript, zshScript } from './scripts.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** `toolwright completion`: prints a shell's completion script, from the tables that help and parsing use. */
export async function completion(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals } = parse('completion', args, {})
  const [shell, ...more] = positionals
  if (!isShell(shell) || more.length > 0)
    throw new UsageError(`Name one shell: ${Object.keys(SCRIPTS).join(', ')}`, 'completion')
  say(terminal, SCRIPTS[shell](await completedCommands()))
  return EXIT.ok
}

const isShell = (name: string | undefined): name is keyof typeof SCRIPTS =>
  name !== undefined && Object.hasOwn(SCRIPTS, name)
