import { openFixMemory, type FixMemory, type FixSettings } from '../engines/fix-memory.ts'
import { maskDetected } from '../guards/secrets/detect.ts'
import type { Environment, WorkspaceState } from '../machine/state/directory.ts'
import { vaultOf } from '../machine/vault/vault.ts'
import { learnVault } from '../runtime/fetch-secrets.ts'
import { redactorFor } from '../runtime/redact-outcome.ts'
import type { Merged } from './merge.ts'
import type { ToolkitOptions } from './session-options.ts'

/** Opens the memory of past fixes; what it stores and sends holds no secret. */
export async function openFixes(
  { root, fixes: file }: WorkspaceState,
  { memory, secrets }: Merged['config'],
  options: ToolkitOptions,
  env: Environment,
): Promise<FixMemory> {
  const vault = options.secrets ?? vaultOf(secrets, env, root)
  const secretOf = async (key: string) => (await vault?.get(key)) ?? env[key]
  const values = new Map<string, string>()
  if (vault) await learnVault(values, vault)
  const redact = (text: string) => redactorFor(values).text(maskDetected(text))
  return openFixMemory({ file, settings: fixSettings(memory), redact, secretOf, store: options.fixes })
}

/** Returns the settings of the memory in the form that engines expect. */
function fixSettings({ chroma, embedder }: Merged['config']['memory']): FixSettings {
  const { openai, ollama, onnx } = embedder ?? {}
  const choice = openai ? { openai } : ollama ? { ollama } : onnx === undefined ? undefined : { onnx }
  return { chroma, embedder: choice }
}
