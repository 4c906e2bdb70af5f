import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import { published } from '../published.ts'
import { contractWithoutTools } from './contract-without-tools.ts'

/** Loads each tool separately, for a program that makes one call and ends. */
export const TOOLS: Readonly<Record<string, () => Promise<AnyTool<Engines>>>> = {
  callers: async () => (await import('./callers.ts')).callers,
  check: async () => (await import('./check.ts')).check,
  context: async () => (await import('./context.ts')).context,
  delete: async () => (await import('./delete.ts')).deleteFile,
  docs: async () => (await import('./docs.ts')).docs,
  edit: async () => (await import('./edit.ts')).edit,
  effects: async () => (await import('./effects.ts')).effects,
  fetch: async () => (await import('./fetch.ts')).fetch,
  find: async () => (await import('./find.ts')).find,
  fixes: async () => (await import('./fixes.ts')).fixes,
  graph: async () => (await import('./graph.ts')).graph,
  grep: async () => (await import('./grep.ts')).grep,
  list: async () => (await import('./list.ts')).list,
  move: async () => (await import('./move.ts')).move,
  patch: async () => (await import('./patch.ts')).patch,
  plan: async () => (await import('./plan.ts')).plan,
  index: async () => (await import('./query-index.ts')).index,
  read: async () => (await import('./read.ts')).read,
  refactor: async () => (await import('./refactor.ts')).refactor,
  references: async () => (await import('./references.ts')).references,
  remember: async () => (await import('./remember.ts')).remember,
  run: async () => (await import('./run.ts')).run,
  stage: async () => (await import('./stage.ts')).stage,
  symbols: async () => (await import('./symbols.ts')).symbols,
  undo: async () => (await import('./undo.ts')).undo,
  write: async () => (await import('./write.ts')).write,
}

/** Loads the contract with one tool only. Returns undefined for an unknown tool. */
export async function oneTool(name: string): Promise<Contract<Engines> | undefined> {
  const load = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  return load && published({ ...contractWithoutTools, tools: [await load()] })
}
