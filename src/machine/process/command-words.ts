import { existsSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { placeholder } from '../../kernel/placeholder.ts'
import { referSecrets, revealText, secretVariable } from '../../kernel/shell-secrets.ts'
import type { RunSpec } from './types.ts'

export interface CommandWords {
  readonly argv: readonly string[]
  readonly shell?: 'bash' | 'sh'
  /** Secrets that the command line references. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string | undefined
}

/**
 * Returns the words to start for a line or an argument list. Secrets pass through a variable or standard input, never
 * through an argument. Throws `unknown_secret` for a placeholder without a secret; its text is never passed on.
 */
export function commandWords(
  { line, argv, stdin }: RunSpec,
  secrets: ReadonlyMap<string, string> = new Map(),
): CommandWords {
  const texts = [...(argv ?? [line ?? '']), ...(stdin === undefined ? [] : [stdin])]
  for (const key of texts.flatMap(keysIn)) if (!secrets.has(key)) throw unknown(key)
  const input = stdin === undefined ? undefined : revealText(stdin, secrets)
  if (argv !== undefined) {
    for (const word of argv) refuseSecret(word)
    return { argv: validWords(argv), env: {}, stdin: input }
  }
  const shell = existsSync('/bin/bash') ? 'bash' : 'sh'
  const words = validWords([keysIn(line ?? '').length > 0 ? referSecrets(line ?? '') : (line ?? '')])
  const options = shell === 'bash' ? ['--noprofile', '--norc'] : []
  return {
    argv: [`/bin/${shell}`, ...options, '-c', ...words],
    shell,
    env: Object.fromEntries([...secrets].map(([key, value]) => [secretVariable(key), value])),
    stdin: input,
  }
}

/** The kernel's limit for one argument. */
const LONGEST = 128 * 1024 - 1

function validWords(words: readonly string[]): readonly string[] {
  for (const word of words) {
    if (word.includes('\0')) throw new ToolError('invalid_input', 'A command holds no NUL')
    if (Buffer.byteLength(word) > LONGEST)
      throw new ToolError('invalid_input', `A command may have ${LONGEST} bytes at most`, {
        hint: 'Write a script to a file and run that, or give the text as standard input',
      })
  }
  return words
}

function refuseSecret(word: string): void {
  const [key] = keysIn(word)
  if (key === undefined) return
  throw new ToolError('invalid_input', `$ENV.${key} cannot be an argument: other processes see arguments`, {
    hint: `Use a shell line, in which $ENV.${key} becomes a reference to a variable, or standard input`,
  })
}

const keysIn = (text: string): string[] =>
  text.includes('$ENV.') ? [...text.matchAll(placeholder())].map(([, key = '']) => key) : []

const unknown = (key: string): ToolError =>
  new ToolError('unknown_secret', `No secret named '${key}'`, {
    hint: `Give the secret provider a value for ${key}, or write \\$ENV.${key} for the literal text`,
    details: { key },
  })
