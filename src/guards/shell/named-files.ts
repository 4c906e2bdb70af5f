import type { Argv } from './likely-commands.ts'
import type { Script, Simple, Word } from './script.ts'

const MOST_NAMES = 500

/** Returns whatever may name a file in these scripts: each word, what it is redirected from, and parts of both. */
export function namedFiles(scripts: readonly Script[], commands: readonly Argv[]): readonly string[] {
  const words = scripts.flatMap(({ commands: simple }) => simple.flatMap(wordsOf)).map(textOf)
  const likely = commands.flatMap(argv => argv.map(({ text }) => text))
  return [...new Set([...words, ...likely].flatMap(partsOf))].slice(0, MOST_NAMES)
}

const wordsOf = ({ words, redirections, assignments }: Simple): readonly Word[] => [
  ...words,
  ...redirections.filter(({ operator }) => /^<>?$/.test(operator)).map(({ target }) => target),
  ...assignments.map(({ value }) => value),
]

const textOf = ({ pieces }: Word): string => pieces.map(piece => ('text' in piece ? piece.text : '')).join('')

/** A file may be named inside a program's text: `open('x.py').read()`. */
const partsOf = (text: string): readonly string[] =>
  [text, ...text.split(/[^\w./@+~-]+/)].filter(part => /[\w]/.test(part) && part.length < 1_000)

/** Variables by which programs find what they load: `NODE_OPTIONS`, `PYTHONSTARTUP`, `PATH`. */
const LOADS = /(OPTS?|OPTIONS|STARTUP|RC|INIT|PRELOAD|ENV|PATH|LIB|CONFIG|SHELL)$/

/** Returns the files that variables of the line may have its programs load. */
export function variableFiles(scripts: readonly Script[], commands: readonly Argv[]): readonly string[] {
  const settings = [
    ...scripts
      .flatMap(script => script.commands.flatMap(({ assignments }) => assignments))
      .map(({ name, value }) => ({ name, value: textOf(value) })),
    ...commands.flatMap(argv => argv.flatMap(({ text }) => exportOf(text))),
  ].filter(({ name }) => LOADS.test(name))
  const programs = commands.flatMap(([program]) => (program && !program.text.includes('/') ? [program.text] : []))
  const names = settings.flatMap(({ name, value }) =>
    name === 'PATH'
      ? value.split(':').flatMap(part => programs.map(program => `${part.replace(/^\/+/, '') || '.'}/${program}`))
      : partsOf(value),
  )
  return [...new Set(names)].slice(0, MOST_NAMES)
}

function exportOf(text: string): readonly { readonly name: string; readonly value: string }[] {
  const [, name, value = ''] = /^([A-Za-z_]\w*)\+?=([^]*)$/.exec(text) ?? []
  return name === undefined ? [] : [{ name, value }]
}
