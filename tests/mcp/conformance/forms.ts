import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'

export const form = (
  message: string,
  properties: object,
  required: readonly string[] = [],
): ElicitRequestFormParams => ({
  mode: 'form',
  message,
  requestedSchema: {
    type: 'object',
    properties: properties as ElicitRequestFormParams['requestedSchema']['properties'],
    ...(required.length > 0 && { required: [...required] }),
  },
})

export const PERSON = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
}

export const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

const titled = (kind: string) =>
  ['First', 'Second', 'Third'].map((word, at) => ({ const: `value${at + 1}`, title: `${word} ${kind}` }))
const plain = ['option1', 'option2', 'option3']

export const ENUMS = {
  untitledSingle: { type: 'string', enum: plain },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
}
