import { defineTool, reads, z } from '../tool.ts'
import { TIMEOUT_MS } from './fields.ts'

export const getCodeContext = defineTool({
  name: 'get_code_context',
  version: '1.1.0',
  description: 'Extract code surrounding an error location, including function definitions and relevant imports.',
  input: () =>
    z.object({
      filePath: z.string().describe('File containing the error'),
      line: z.int().positive().describe('Error line number (1-indexed)'),
      contextLines: z.int().min(5).max(100).default(50).describe('Number of lines to include (before and after error)'),
      includeFunctionDef: z
        .boolean()
        .default(true)
        .describe('Whether to include the full function containing the error'),
    }),
  output: () =>
    z.strictObject({
      filePath: z.string(),
      errorLine: z.int(),
      context: z.strictObject({ before: z.string(), errorLine: z.string(), after: z.string() }),
      functionDefinition: z
        .strictObject({ name: z.string(), startLine: z.int(), endLine: z.int(), signature: z.string() })
        .optional(),
      relevantImports: z.array(z.strictObject({ module: z.string(), imported: z.array(z.string()), line: z.int() })),
    }),
  effects: ['read'],
  timeoutMs: TIMEOUT_MS,
  claims: ({ filePath }) => reads(filePath),
  async run({ filePath, line, contextLines, includeFunctionDef }, { code }) {
    const contextResult = await code.context(filePath, line, { around: contextLines })
    const around = includeFunctionDef ? contextResult.enclosing : undefined
    return {
      filePath,
      errorLine: line,
      context: { before: contextResult.before, errorLine: contextResult.text, after: contextResult.after },
      ...(around && {
        functionDefinition: {
          name: [...around.within, around.name].join('.'),
          startLine: around.from,
          endLine: around.to,
          signature: around.signature,
        },
      }),
      relevantImports: contextResult.imports.map(({ module, names, line: at }) => ({
        module,
        imported: [...names],
        line: at,
      })),
    }
  },
  examples: [
    {
      input: { filePath: 'src/api/user.ts', line: 4 },
      files: {
        'src/api/user.ts':
          "import { get } from './http.ts'\n\nexport async function fetchUserData(userId: string) {\n  const data = await get(userId)\n  return data.users\n}\n",
      },
    },
  ],
})
