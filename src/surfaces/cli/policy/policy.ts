import { openToolkit } from '../../../toolkit.ts'
import { workspaceOf } from '../find-workspace.ts'
import type { Terminal } from '../terminal.ts'
import { configurationOf, parse, UsageError } from '../usage.ts'
import { add } from './add.ts'
import { changing } from './change.ts'
import { check } from './check.ts'
import { lint } from './lint.ts'
import { list } from './list.ts'
import { OPTIONS, type Verb } from './options.ts'

const VERBS: Readonly<Record<string, Verb>> = {
  list,
  add,
  check,
  lint,
  remove: changing('removed'),
  enable: changing('enabled'),
  disable: changing('disabled'),
}

/** `toolwright policy`: shows and changes stored rules, and explains what would be decided. */
export async function policy(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('policy', args, OPTIONS)
  const [name = 'list', ...rest] = positionals
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
  if (!verb) throw new UsageError(`'policy' has no '${name}'`, 'policy', { typed: name, known: Object.keys(VERBS) })
  const isTrial = name === 'check'
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    ...configurationOf(values),
    ...(isTrial && values.allow && { permissions: values.allow }),
    ...(isTrial && values.deny && { denials: values.deny }),
  })
  try {
    return await verb(kit, rest, values, terminal)
  } finally {
    await kit.close()
  }
}
