import { ToolError } from '../kernel/error.ts'

/** Throws for a task whose name could lead elsewhere: files of its own are named after it. */
export function demandName(task: string): void {
  const isPlain = task.trim() !== '' && task !== '.' && !/\.\.|[/\\\p{Cc}]/u.test(task)
  if (isPlain && Buffer.byteLength(task) <= 200) return
  throw new ToolError('invalid_input', `'${task}' cannot be the name of a component or task`, {
    hint: 'Use a plain name of at most 200 bytes, without separators and control characters',
  })
}
