import { z } from 'zod'
import { DEFAULTS } from './defaults.ts'

/** The name of a secret in a configuration. */
export const secretName = z
  .string()
  .regex(/^\$ENV\.[A-Za-z_]\w{0,100}$/, 'a secret is named as $ENV.NAME and never written out')

const text = z.string().min(1).max(1_000)

const field = z.string().min(1).max(200).optional()

/** Where a collection that another program made has the fields of a fix. */
const fields = z.strictObject({
  errorDescription: field,
  rootCause: field,
  solution: field,
  language: field,
  errorType: field,
  confidence: field,
  userValidated: field,
  createdAt: field,
  fixedIn: field,
})

const chroma = z.strictObject({
  url: text.describe('The address of the server, such as http://localhost:8000'),
  collection: text.describe('The name of the collection; the first fix makes it'),
  tenant: text.optional().describe('Default: default_tenant'),
  database: text.optional().describe('Default: default_database'),
  token: secretName.optional().describe('The name of a token, as $ENV.NAME'),
  fields: fields
    .optional()
    .describe(
      "For a collection made elsewhere: the name of each field in its metadata; #document means the record's text. Such a collection is only searched",
    ),
})

const embedder = z
  .strictObject({
    openai: z
      .strictObject({
        url: text.describe('The address above /embeddings, such as https://api.example.com/v1'),
        model: text,
        key: secretName.optional().describe('The name of a key, as $ENV.NAME'),
      })
      .optional()
      .describe('A server that speaks the embeddings API of OpenAI'),
    ollama: z
      .strictObject({ url: text.describe('Such as http://localhost:11434'), model: text })
      .optional()
      .describe('An Ollama server'),
    onnx: text.optional().describe('The directory of a model on this machine, with model.onnx and tokenizer.json'),
  })
  .refine(({ openai, ollama, onnx }) => [openai, ollama, onnx].filter(Boolean).length === 1, {
    error: 'expected exactly one of openai, ollama and onnx',
  })

/** The memory of past fixes. */
export const memory = z.strictObject({
  hints: z
    .boolean()
    .optional()
    .describe(
      `Whether the answer to a command, validator or test run that fails names the best past fix. Default: ${DEFAULTS.memory.hints}`,
    ),
  hintMs: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(`How long an answer waits for that hint. Default: ${DEFAULTS.memory.hintMs}`),
  chroma: chroma
    .optional()
    .describe('A ChromaDB server in place of the file on this machine; only your own file can set it'),
  embedder: embedder
    .optional()
    .describe('What makes vectors of texts, in place of the built-in model; only your own file can set it'),
})

export type MemoryConfig = z.output<typeof memory>

/** The effective settings of the memory. */
export interface MemoryRules {
  readonly hints: boolean
  readonly hintMs: number
  readonly chroma?: ChromaConfig
  readonly embedder?: EmbedderConfig
}

type ChromaConfig = z.output<typeof chroma>
type EmbedderConfig = z.output<typeof embedder>
