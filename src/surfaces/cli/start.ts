import { readdirSync } from 'node:fs'
import { inert, inertBlock } from '../../kernel/inert.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { openToolkit } from '../../toolkit.ts'
import { clientSetups, type ClientSetup } from '../mcp/client-setup.ts'
import { workspaceOf } from './find-workspace.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { EXIT, parse } from './usage.ts'

const NOTE = 'toolwright-tour.txt'

/** `toolwright start`: a short tour of real calls on this directory. It leaves nothing behind but its records in the journal. */
export async function start(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse('start', args, {})
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    permissions: [`fs:write:${NOTE}`],
    resident: 'start',
  })
  const paint = painter(terminal)
  let steps = 0
  const step = async (words: string, tool: string, input: object, options = {}): Promise<Outcome> => {
    const { outcome } = await kit.run(tool, input, options)
    say(terminal, `\n${paint('bold', `${++steps}. ${words}`)}`)
    say(
      terminal,
      paint(
        'dim',
        `  toolwright call ${tool} ${inert(quoteArgv([JSON.stringify(input)]), { max: 300 })}${'dryRun' in options ? ' --dry-run' : ''}`,
      ),
    )
    if (outcome.ok)
      say(
        terminal,
        `  ${paint('green', '✓')} ${outcome.meta.durationMs} ms${outcome.meta.undo ? `, undo id ${outcome.meta.undo}` : ''}`,
      )
    else say(terminal, `  ${paint('yellow', '✗')} ${outcome.error.code}: ${inert(outcome.error.message, { max: 300 })}`)
    return outcome
  }
  const shown = (text: unknown) => {
    if (typeof text === 'string' && text !== '')
      say(
        terminal,
        inertBlock(text)
          .split('\n')
          .slice(0, 12)
          .map(line => `    ${line}`)
          .join('\n')
          .trimEnd(),
      )
  }
  try {
    say(terminal, `toolwright ${terminal.version} on ${inert(kit.root)}`)
    const file = readable(kit.root)
    if (file !== undefined) {
      const read = await step('A read: typed, permitted, journaled', 'read', { path: file, from: 1, to: 5 })
      if (read.ok) shown(Reflect.get(Object(read.data), 'content'))
    }
    const content = `Written by the tour at ${new Date().toISOString()}.\n`
    const dry = await step(
      'A dry run: the diff, and nothing changed',
      'write',
      { path: NOTE, content },
      { dryRun: true },
    )
    shown(dry.meta.diff)
    const written = await step('A write: staged, committed atomically, with an id to undo it', 'write', {
      path: NOTE,
      content,
      expect: 'absent',
    })
    if (written.ok) await step('The undo', 'undo', { id: written.meta.undo })
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
    // In a clone the command is on nobody's PATH.
    const command =
      terminal.env['npm_lifecycle_event'] === 'start' ? quoteArgv(['node', process.argv[1] ?? '']) : 'toolwright'
    const typed = NEXT.map(([words, what]) => [`${command} ${words}`, what] as const)
    const width = Math.max(...typed.map(([line]) => line.length))
    say(terminal, `\n${paint('bold', 'What next')}`)
    for (const [line, what] of typed) say(terminal, `  ${inert(line).padEnd(width)}   ${what}`)
    const setups = clientSetups([process.execPath, process.argv[1] ?? 'toolwright'], kit.root)
    say(
      terminal,
      `\n${paint('bold', 'Connect a client')}, which starts the command itself (${inert(command)} help mcp says more)`,
    )
    for (const setup of setups) say(terminal, setupLines(setup))
    return EXIT.ok
  } finally {
    await kit.close()
  }
}

const NEXT = [
  ['tools', 'what can be called'],
  ['read FILE', "every tool is a command ('help read')"],
  [`call read '{"path":"…"}'`, 'the same for programs (with --json)'],
  ['log', "what was done here; 'log verify' checks that the record is whole"],
  ['doctor', 'what protects you on this machine'],
  ['help', 'everything else'],
] as const

const setupLines = ({ client, file, text }: ClientSetup): string =>
  `  ${client}${file === undefined ? '' : `, in ${file}`}:\n    ${inert(text, { max: 2000 })}`

/** A file worth showing: a readme or a manifest, else the first text-like file. */
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
