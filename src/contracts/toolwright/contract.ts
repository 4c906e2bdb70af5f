import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { published } from '../published.ts'
import { answerSchema } from './answer-schema.ts'
import { callers } from './callers.ts'
import { check } from './check.ts'
import { context } from './context.ts'
import { deleteFile } from './delete.ts'
import { docs } from './docs.ts'
import { edit } from './edit.ts'
import { effects } from './effects.ts'
import { fetch } from './fetch.ts'
import { find } from './find.ts'
import { fixes } from './fixes.ts'
import { contractWithoutTools } from './contract-without-tools.ts'
import { graph } from './graph.ts'
import { grep } from './grep.ts'
import { list } from './list.ts'
import { move } from './move.ts'
import { patch } from './patch.ts'
import { plan } from './plan.ts'
import { index } from './query-index.ts'
import { read } from './read.ts'
import { refactor } from './refactor.ts'
import { references } from './references.ts'
import { remember } from './remember.ts'
import { run } from './run.ts'
import { stage } from './stage.ts'
import { symbols } from './symbols.ts'
import { undo } from './undo.ts'
import { write } from './write.ts'

/** Every tool, in the order in which they are listed. */
const tools = [
  read,
  list,
  find,
  grep,
  index,
  symbols,
  context,
  callers,
  references,
  effects,
  write,
  edit,
  patch,
  move,
  deleteFile,
  refactor,
  run,
  fetch,
  docs,
  undo,
  stage,
  plan,
  check,
  graph,
  fixes,
  remember,
] as const

/** Every tool of the contract `toolwright`. */
export type ToolwrightTool = (typeof tools)[number]

/** The contract we would write today: a peer of the published ones, and the default of every surface. */
export const toolwright: Contract<Engines, ToolwrightTool> = published({ ...contractWithoutTools, answerSchema, tools })
