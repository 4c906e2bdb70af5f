/** The public API. */
export {
  openToolkit,
  type ToolkitOptions,
  type TypedSession,
  type TypedToolkit,
} from './surfaces/library/typed-toolkit.ts'
export { loadContract, type SessionHandle, type SessionOptions, type Toolkit } from './toolkit.ts'
export type {
  AutonomousTools,
  CliAgentTools,
  ContractId,
  ContractTools,
  DebugAssistantTools,
  SageTools,
  SuperconnectTools,
  ToolsOf,
  ToolwrightTools,
} from './contracts/load-contract.ts'
export type { AnyTools, DataOf, InputOf, ToolTypes } from './kernel/tool-types.ts'
export { defineTool, type Engines } from './engines/engines.ts'
export { chain } from './machine/vault/chain.ts'
export { envProvider } from './machine/vault/env.ts'
export { fileProvider } from './machine/vault/file.ts'
export { creates, reads, writes, type Action, type Claim, type Effect } from './kernel/claim.ts'
export type { Call, Contract } from './kernel/contract.ts'
export type { CodeFault, EditEffects, EffectsMode, UnfitCall } from './kernel/edit-effects.ts'
export { ToolError, type Code } from './kernel/error.ts'
export type { Meta, Outcome } from './kernel/outcome.ts'
export type { SecretProvider } from './kernel/secret.ts'
export { riskOf, type Budget, type Risk, type Tool } from './kernel/tool.ts'
export { wireForm, WIRE_FORMS, type WireForm } from './kernel/wire-forms.ts'
export { readRecording, type Recording } from './runtime/recording/read-recording.ts'
export type { Recorder } from './runtime/recording/recorder.ts'
export { replay, type Replayed } from './runtime/recording/replay.ts'
export { createRegistry, type Registry } from './runtime/registry.ts'
export { createRunBudget, type RunBudget, type RunLimits } from './agent/run-budget.ts'
export type { RunEvent, RunStatus, RunUsage } from './agent/run-events.ts'
export type { AgentOptions, AgentResult, LanguageModel } from './surfaces/agent/agent-options.ts'
export { runAgent } from './surfaces/library/run-agent.ts'
export { openRecording, type OpenRecording } from './surfaces/open-recording.ts'
export type { Answer, Answerer, Card, Question, Questions } from './runtime/questions.ts'
