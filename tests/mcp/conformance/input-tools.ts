import { CLIENT_CAPABILITIES_META_KEY, type InputRequests } from '@modelcontextprotocol/server'
import type { Engines } from '../../../src/engines/engines.ts'
import type { AnyTool } from '../../../src/kernel/contract.ts'
import { form } from './forms.ts'
import { requestContext, text } from './request-context.ts'

export const elicit = (message: string, name: string, type = 'string'): InputRequests[string] => ({
  method: 'elicitation/create',
  params: form(message, { [name]: { type } }, [name]),
})

const sample = (question: string, maxTokens: number): InputRequests[string] => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens },
})

const ROOTS: InputRequests[string] = { method: 'roots/list' }

interface Round {
  readonly asks: () => InputRequests
  /** Set if the state that comes back is looked at. */
  readonly state?: string
}

/** Returns what a client answered to all that a round asked; undefined if something is missing or no answer. */
export function answersTo(asked: InputRequests): Readonly<Record<string, object>> | undefined {
  const responses: Readonly<Record<string, unknown>> = Object(requestContext().request.mcpReq.inputResponses)
  const answers = Object.keys(asked).map(key => [key, responses[key]] as const)
  const isWhole = answers.every(([, answer]) => typeof answer === 'object' && answer !== null)
  return isWhole ? (Object.fromEntries(answers) as Readonly<Record<string, object>>) : undefined
}

type Fixture = (name: string, run: () => Promise<object>) => AnyTool<Engines>

/** A tool that asks round after round, and then answers. A state comes back signed, and names its round. */
const asking = (fixture: Fixture, name: string, ...rounds: readonly Round[]): AnyTool<Engines> =>
  fixture(name, async () => {
    const state = requestContext().request.mcpReq.requestState()
    const at = Math.max(
      0,
      rounds.findIndex(round => round.state !== undefined && round.state === state),
    )
    const round = rounds[at]
    const answers = round && answersTo(round.asks())
    const next = answers ? rounds[at + 1] : round
    if (next) return { inputRequired: { inputRequests: next.asks(), ...(next.state && { requestState: next.state }) } }
    return { content: text(`${state === undefined ? '' : 'state-ok '}${JSON.stringify(answers)}`) }
  })

const capabilities = (): object =>
  Object(Object(requestContext().request.mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY])

export const inputTools = (fixture: Fixture): readonly AnyTool<Engines>[] => [
  asking(fixture, 'test_input_required_result_elicitation', {
    asks: () => ({ user_name: elicit('What is your name?', 'name') }),
  }),
  asking(fixture, 'test_input_required_result_sampling', {
    asks: () => ({ capital_question: sample('What is the capital of France?', 100) }),
  }),
  asking(fixture, 'test_input_required_result_list_roots', { asks: () => ({ client_roots: ROOTS }) }),
  asking(fixture, 'test_input_required_result_request_state', {
    asks: () => ({ confirm: elicit('Please confirm', 'ok', 'boolean') }),
    state: 'confirm',
  }),
  asking(fixture, 'test_input_required_result_tampered_state', {
    asks: () => ({ confirm: elicit('Please confirm', 'ok', 'boolean') }),
    state: 'tampered',
  }),
  asking(fixture, 'test_input_required_result_multiple_inputs', {
    asks: () => ({
      user_name: elicit('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: ROOTS,
    }),
    state: 'several',
  }),
  asking(
    fixture,
    'test_input_required_result_multi_round',
    { asks: () => ({ step1: elicit('Step 1: What is your name?', 'name') }), state: 'step1' },
    { asks: () => ({ step2: elicit('Step 2: What is your favorite color?', 'color') }), state: 'step2' },
  ),
  asking(fixture, 'test_input_required_result_capabilities', {
    asks: () => ({
      ...('elicitation' in capabilities() && { name: elicit('What is your name?', 'name') }),
      ...('sampling' in capabilities() && { greeting: sample('Generate a greeting', 50) }),
    }),
  }),
  asking(fixture, 'test_missing_capability', { asks: () => ({ question: sample('Are you there?', 10) }) }),
  asking(fixture, 'test_streaming_elicitation', { asks: () => ({ name: elicit('What is your name?', 'name') }) }),
]
