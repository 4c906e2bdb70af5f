import { inputSchema } from '../../kernel/json-schema.ts'
import { listFiles } from './list-files.ts'
import { queryIndex } from './query-index.ts'
import { readFile } from './read-file.ts'

type Framework = 'react' | 'angular'

const TOLD: Readonly<Record<Framework, { readonly name: string; readonly tag: string; readonly kind: string }>> = {
  react: { name: 'React', tag: 'react-component', kind: 'a function, class, forwardRef or memo component' },
  angular: { name: 'Angular', tag: 'angular-component', kind: 'a class with the @Component decorator' },
}

/** The prompt for an agent that maps components of one framework, generated from the tools so that it cannot drift. */
export function promptFor(framework: Framework): string {
  const { name, tag, kind } = TOLD[framework]
  const { calls: lists } = listFiles.budget ?? {}
  return `You map the ${name} components of one repository. You explore it with three tools and no others.

## Tools

${[queryIndex, readFile, listFiles].map(section).join('\n\n')}

## How to work

1. Query the index first: ${call(queryIndex.name, { query: { type: 'exports', value: 'Button' } })} finds the file that exports a component by its name.
   ${call(queryIndex.name, { query: { type: 'tag', value: tag } })} lists every file with ${kind}.
2. Read only what the index named: ${call(readFile.name, { path: 'src/components/Button' + (framework === 'react' ? '.tsx' : '.component.ts') })}.
3. Before ${listFiles.name}, and before reading more than ${readFile.justifiedAfter} files, say in \`justification\`:
   - what specific information you are looking for
   - why the results of ${queryIndex.name} do not contain it
   - how many files you plan to read or list
4. You may list at most ${lists} directories and read at most ${megabytes(readFile.budget?.bytes)} MB in all for one component.
5. Check for \`error\` in every answer: it has either that, with a code, a message and details, or its data. If there is one:
   - Log its code and message.
   - Retry with adjusted parameters if that can help.
   - Fail the component if the error is unrecoverable, and say why.
`
}

interface Shown {
  readonly name: string
  readonly description: string
  readonly input: typeof queryIndex.input | typeof readFile.input | typeof listFiles.input
}

function section(tool: Shown): string {
  return `### ${tool.name}\n\n${tool.description}\n\nParameters:\n${parameters(inputSchema(tool), '').join('\n')}`
}

/** One line per parameter, with the fields of an object below it. */
function parameters(schema: unknown, indent: string): string[] {
  const { properties = {}, required = [] } = Object(schema)
  return Object.entries(Object(properties)).flatMap(([name, field]) => {
    const { type, enum: options, description } = Object(field)
    const kind = Array.isArray(options) ? options.map(option => `'${option}'`).join(' | ') : String(type)
    const need = Array.isArray(required) && required.includes(name) ? 'required' : 'optional'
    const text = description === undefined ? '' : `: ${description}`
    return [`${indent}- \`${name}\` (${kind}, ${need})${text}`, ...parameters(field, `${indent}  `)]
  })
}

const call = (name: string, input: object): string => `\`${name}(${JSON.stringify(input)})\``
const megabytes = (bytes = 0): number => bytes / 1024 / 1024
