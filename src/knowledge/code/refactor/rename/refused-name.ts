import { ToolError } from '../../../../kernel/error.ts'

function refused(what: string, why: string, paths: readonly string[], hint: string): ToolError {
  const which = paths.toSorted()
  return new ToolError('conflict', `${what}: ${[why, which.join(', ')].join(' ').trim()}`, {
    hint: `Nothing was changed. ${hint}`,
    ...(which.length > 0 && { details: { paths: which } }),
  })
}

/** Something other than the new name is in the way. */
export const held = (old: string, name: string, why: string, paths: readonly string[] = []): ToolError =>
  refused(
    `'${old}' cannot become '${name}'`,
    why,
    paths,
    'Something still needs the old name: change that first, or edit by text',
  )

/** The new name is taken. */
export const taken = (name: string, why: string, paths: readonly string[] = []): ToolError =>
  refused(`'${name}' is taken`, why, paths, 'Choose an unused name')
