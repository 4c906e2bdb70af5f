import { ToolError } from '../../../../kernel/error.ts'

function renameConflict(what: string, why: string, paths: readonly string[], hint: string): ToolError {
  const which = paths.toSorted()
  return new ToolError('conflict', `${what}: ${[why, which.join(', ')].join(' ').trim()}`, {
    hint: `Nothing was changed. ${hint}`,
    ...(which.length > 0 && { details: { paths: which } }),
  })
}

/** Something other than the new name is in the way. */
export const oldNameConflict = (old: string, name: string, why: string, paths: readonly string[] = []): ToolError =>
  renameConflict(
    `'${old}' cannot become '${name}'`,
    why,
    paths,
    'Something still needs the old name: change that first, or edit by text',
  )

/** The new name is taken. */
export const newNameConflict = (name: string, why: string, paths: readonly string[] = []): ToolError =>
  renameConflict(`'${name}' is taken`, why, paths, 'Choose an unused name')
