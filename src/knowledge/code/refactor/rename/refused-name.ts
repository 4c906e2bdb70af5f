import { ToolError } from '../../../../kernel/error.ts'

/** Something but the new name stands in the way. */
export function held(old: string, name: string, why: string, paths: readonly string[]): ToolError {
  const which = paths.toSorted()
  return new ToolError('conflict', `'${old}' cannot become '${name}': ${[why, which.join(', ')].join(' ').trim()}`, {
    hint: 'Nothing was changed. Something still needs the old name: change that first, or edit by text',
    ...(which.length > 0 && { details: { paths: which } }),
  })
}

/** Something has the new name already. */
export function taken(name: string, why: string, paths: readonly string[]): ToolError {
  const which = paths.toSorted()
  return new ToolError('conflict', `'${name}' is taken: ${[why, which.join(', ')].join(' ').trim()}`, {
    hint: 'Nothing was changed. Choose a name that nothing has there',
    ...(which.length > 0 && { details: { paths: which } }),
  })
}
