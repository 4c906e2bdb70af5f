import type { Engines } from '../src/engines/engines.ts'
import type { Contract } from '../src/kernel/contract.ts'
import { debugAssistant } from '../src/contracts.ts'

/** The prompts of a contract as Markdown, generated from its tools. */
export const promptSections = ({ prompts = {} }: Contract<Engines>): readonly string[] =>
  Object.entries(prompts).map(([name, prompt]) => `## Prompt: ${name}\n\n\`\`\`\`text\n${prompt().trimEnd()}\n\`\`\`\``)

// The debug-assistant document names this script: it prints its blocks AVAILABLE TOOLS and USAGE FORMAT.
if (import.meta.main) process.stdout.write(debugAssistant.prompts?.['system']?.() ?? '')
