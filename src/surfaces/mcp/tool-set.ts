/** Subsets of our own tools that a client can request, for a model that needs a short list. */
const SETS = {
  core: ['read', 'write', 'edit', 'patch', 'list', 'find', 'grep', 'run', 'undo'],
} as const

export type ToolSet = keyof typeof SETS

export const TOOL_SETS: readonly string[] = Object.keys(SETS)

export const isToolSet = (text: string): text is ToolSet => Object.hasOwn(SETS, text)

/** Reports whether a tool of our own contract is in a set. Without a set, all are. */
export const isInSet = (tool: string, set: ToolSet | undefined): boolean =>
  set === undefined || SETS[set].some(name => name === tool)
