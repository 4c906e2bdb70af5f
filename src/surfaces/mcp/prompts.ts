import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Server } from '@modelcontextprotocol/server'
import { loadContract } from '../../toolkit.ts'

interface Prompt {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, string>>
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const DEBUGGING: Prompt = {
  name: 'debugging',
  description: 'Find the cause of an error, mend it, and show that it is mended',
  parameters: { error: 'The error as it was printed, or what happens and what should happen' },
  text: ({ error = '' }) => `Find the cause of this error, and mend it:

${error}

1. \`fixes\` with the message and its class: a past fix may be known.
2. Make it happen again with \`run\`: a test, or the smallest command that shows it.
3. Follow it to its cause: \`read\` the lines that it names, then \`callers\` and \`references\` of what is there. Say what you know and what you guess.
4. Change the cause, not the symptom, with \`edit\`: as little as mends it.
5. \`run\` the same command, then the tests of what \`effects\` names.
6. \`remember\` the error and its fix, if others could meet it again.

Ask before you change anything that the error is not about.`,
}

const REFACTORING: Prompt = {
  name: 'safe-refactoring',
  description: 'Change code without changing what it does, in steps that can be undone',
  parameters: { goal: 'What to change, such as a new name for a function or a move to another file' },
  text: ({ goal = '' }) => `Refactor without changing what the program does: ${goal}

1. \`callers\` and \`references\` of everything that changes. An answer that is \`partial\` or \`provisional\` is no answer: ask again.
2. \`run\` the tests of these places, so that you know what passes now.
3. \`stage\` begin. Use \`refactor\` for a rename or a move, \`edit\` for the rest.
4. \`stage\` diff: read it whole. \`stage\` validate: what it reports is yours unless it was there before.
5. \`run\` the same tests, then \`stage\` commit; \`stage\` rollback if you cannot explain a difference.

Do not mend what you find on the way: name it at the end.`,
}

/** Serves the prompts of the mounted contracts, and two of our own if our tools are mounted. */
export function addPrompts(server: Server, open: () => Promise<readonly string[]>): void {
  const prompts = async (): Promise<readonly Prompt[]> => {
    const contracts = await Promise.all((await open()).map(loadContract))
    return contracts.flatMap(({ id, prompts: texts = {} }) => [
      ...(id === 'toolwright' ? [DEBUGGING, REFACTORING] : []),
      ...Object.entries(texts).map(([name, text]) => ({
        name: `${id}-${name}`,
        description: `What the document of ${id} tells an agent: ${name}`,
        parameters: {},
        text,
      })),
    ])
  }
  server.setRequestHandler('prompts/list', async () => ({
    prompts: (await prompts()).map(({ name, description, parameters }) => ({
      name,
      description,
      arguments: Object.entries(parameters).map(([parameter, about]) => ({
        name: parameter,
        description: about,
        required: true,
      })),
    })),
  }))
  server.setRequestHandler(
    'prompts/get',
    async ({ params: { name, arguments: input = {} } }): Promise<GetPromptResult> => {
      const prompt = (await prompts()).find(one => one.name === name)
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt '${name}' here`)
      const missing = Object.keys(prompt.parameters).filter(parameter => !input[parameter])
      if (missing.length > 0)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt '${name}' needs: ${missing.join(', ')}`)
      return {
        description: prompt.description,
        messages: [{ role: 'user', content: { type: 'text', text: prompt.text(input) } }],
      }
    },
  )
}
