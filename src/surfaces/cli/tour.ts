import { readdirSync } from 'node:fs'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { openToolkit } from '../../toolkit.ts'
import { clientSetups, type ClientSetup } from '../mcp/client-setup.ts'
import { callLine, commandLine, sameWorkspace, type OptionValues } from './command-line.ts'
import { hereIn, workspaceOf, type Here } from './find-workspace.ts'
import { ownCommand } from './own-command.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { EXIT, parse } from './usage.ts'

const NOTE = 'toolwright-tour.txt'

/** `toolwright tour`: a short tour of real calls on this directory. Leaves only its journal records behind. */
export async function tour(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse('tour', args, {})
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    permissions: [`fs:write:${NOTE}`],
    resident: 'start',
  })
  const paint = painter(terminal)
  const command = ownCommand(terminal)
  const place = sameWorkspace(values)
  const asTyped = (line: string): string =>
    sanitize(
      line.replace(/^toolwright/, () => command),
      { max: 2000 },
    )
  let steps = 0
  const step = async (words: string, tool: string, input: object, options: Dry = {}): Promise<Outcome> => {
    const { outcome } = await kit.run(tool, input, options)
    say(terminal, `\n${paint('bold', `${++steps}. ${words}`)}`)
    say(terminal, paint('dim', `  ${asTyped(callLine(tool, input, { ...place, 'dry-run': options.dryRun }))}`))
    if (outcome.ok)
      say(
        terminal,
        `  ${paint('green', '✓')} ${outcome.meta.durationMs} ms${outcome.meta.undo ? `, undo id ${outcome.meta.undo}` : ''}`,
      )
    else
      say(terminal, `  ${paint('yellow', '✗')} ${outcome.error.code}: ${sanitize(outcome.error.message, { max: 300 })}`)
    return outcome
  }
  const showText = (text: unknown) => {
    if (typeof text === 'string' && text !== '')
      say(
        terminal,
        sanitizeBlock(text)
          .split('\n')
          .slice(0, 12)
          .map(line => `    ${line}`)
          .join('\n')
          .trimEnd(),
      )
  }
  try {
    say(terminal, `toolwright ${terminal.version} on ${sanitize(kit.root)}`)
    const file = readable(kit.root)
    if (file !== undefined) {
      const read = await step('A read: typed, permitted, journaled', 'read', { path: file, from: 1, to: 5 })
      if (read.ok) showText(Reflect.get(Object(read.data), 'content'))
    }
    const content = `Written by the tour at ${new Date().toISOString()}.\n`
    const dry = await step(
      'A dry run: the diff, and nothing changed',
      'write',
      { path: NOTE, content },
      { dryRun: true },
    )
    showText(dry.meta.diff)
    const writeOutcome = await step('A write: staged, committed atomically, with an id to undo it', 'write', {
      path: NOTE,
      content,
      expect: 'absent',
    })
    if (writeOutcome.ok) await step('The undo', 'undo', { id: writeOutcome.meta.undo })
    await step('A path that leads out: refused before anything is opened', 'read', { path: '../../etc/passwd' })
    await step('Git metadata: never written by a file tool', 'write', {
      path: '.git/hooks/pre-commit',
      content: '#!/bin/sh\n',
    })
    await step('A write that no rule allows: it needs approval, and no one can be asked here', 'write', {
      path: 'src/unasked.txt',
      content: 'x\n',
      expect: 'absent',
    })
    const here = hereIn(kit.root, terminal.cwd)
    const commandLines = nextLines(file, here, place).map(([line, what]) => [asTyped(line), what] as const)
    const width = Math.max(...commandLines.map(([line]) => line.length))
    say(terminal, `\n${paint('bold', 'What next')}`)
    for (const [line, what] of commandLines) say(terminal, `  ${line.padEnd(width)}   ${what}`)
    const setups = clientSetups([process.execPath, process.argv[1] ?? 'toolwright'], kit.root)
    say(
      terminal,
      `\n${paint('bold', 'Connect a client')}, which starts the command itself (${sanitize(command)} help mcp says more)`,
    )
    for (const setup of setups) say(terminal, setupLines(setup))
    return EXIT.ok
  } finally {
    await kit.close()
  }
}

interface Dry {
  readonly dryRun?: true
}

/** Returns commands that work unchanged, on a file of this workspace. */
function nextLines(file: string | undefined, here: Here, place: OptionValues): readonly (readonly [string, string])[] {
  const [command, words, input] = file === undefined ? ['list', [], {}] : ['read', [here.shown(file)], { path: file }]
  return [
    [commandLine('tools', []), 'what can be called'],
    [commandLine(command, words, place), `every tool is a command ('help ${command}')`],
    [callLine(command, input, place), 'the same for programs (with --json)'],
    [commandLine('log', [], place), "what was done here; 'log verify' checks that the record is whole"],
    [commandLine('doctor', [], place), 'what protects you on this machine'],
    [commandLine('help', []), 'everything else'],
  ]
}

const setupLines = ({ client, file, text }: ClientSetup): string =>
  [
    `  ${client}${file === undefined ? '' : `, in ${file}`}:`,
    ...text.split('\n').map(line => `    ${sanitize(line, { max: 2000 })}`),
  ].join('\n')

/** Returns a file worth showing: a readme or a manifest, else the first text-like file. */
function readable(root: string): string | undefined {
  const names = readdirSync(root, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
  return (
    names.find(name => /^readme/i.test(name)) ??
    names.find(name => name === 'package.json') ??
    names.find(name => /\.(md|txt|json|ts|js|py|go|rs|java|c|h)$/.test(name))
  )
}
