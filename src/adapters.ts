/** The tools of a toolkit in the shapes of model libraries. */
export { aiSdkTools } from './surfaces/adapters/ai-sdk.ts'
export { anthropicTools } from './surfaces/adapters/anthropic.ts'
export { geminiTools } from './surfaces/adapters/gemini.ts'
export { langchainTools } from './surfaces/adapters/langchain.ts'
export { openaiTools } from './surfaces/adapters/openai.ts'
export type { AdapterOptions } from './surfaces/adapters/session-tools.ts'
