import { EVALUATING } from './programs/builtins.ts'
import { literalWord, readArguments, valuesOf } from './programs/read-arguments.ts'
import type { LikelyCommand } from './likely-commands.ts'

/** A name that the line redefines, and the text that it then stands for. */
type RedefinedName = readonly [name: string, meaning: string]

/** Returns the names that a command defines: `alias g=git`, `hash -p /usr/bin/git g`, `BASH_CMDS[g]=/usr/bin/git`. */
export function redefinedNames({ argv, variables }: LikelyCommand): readonly RedefinedName[] {
  const [name, ...rest] = argv.map(({ text }) => text)
  return [...variables.flatMap(elementRenaming), ...commandRenamings(name, rest)]
}

function elementRenaming({ name, value }: LikelyCommand['variables'][number]): readonly RedefinedName[] {
  if (name !== 'BASH_CMDS' && name !== 'BASH_ALIASES') return []
  const [, alias = '', meaning = ''] = /\[["']?([^\]"']+)["']?\]\+?=([^]*)$/.exec(value) ?? []
  return alias === '' ? [] : [[alias, meaning]]
}

function commandRenamings(name: string | undefined, rest: readonly string[]): readonly RedefinedName[] {
  if (name === 'builtin' || name === 'command') return commandRenamings(rest[0], rest.slice(1))
  if (name === 'alias') return rest.flatMap(aliasRenaming)
  const hash = EVALUATING.get('hash')
  if (name !== 'hash' || !hash) return []
  const reading = readArguments(hash, ['hash', ...rest].map(literalWord))
  const meaning = valuesOf(reading, '-p').at(-1)?.word.source
  return meaning === undefined ? [] : reading.operands.map(({ word }) => [word.source, meaning])
}

function aliasRenaming(word: string): readonly RedefinedName[] {
  const at = word.indexOf('=')
  return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : []
}
