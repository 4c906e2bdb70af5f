// The calls that the document of superconnect prints.
import type * as ours from 'toolwright/superconnect'

declare function queryIndex(parameters: ours.QueryIndexParameters): ours.QueryIndexResult
declare function readFile(parameters: ours.ReadFileParameters): ours.ReadFileResult
declare function listFiles(parameters: ours.ListFilesParameters): ours.ListFilesResult

// Find files exporting "Button"
queryIndex({ query: { type: 'exports', value: 'Button' }, limit: 10 })

// Find all React component files
queryIndex({ query: { type: 'tag', value: 'react-component' } })

// Find files under src/components/
queryIndex({ query: { type: 'pathPrefix', value: 'src/components/' } })

// List all indexed files
queryIndex({ query: { type: 'listAll' }, limit: 100 })

// Read a component file
readFile({ path: 'src/components/Button.tsx' })

// Read with custom limit
readFile({ path: 'src/theme/tokens.ts', maxBytes: 50000 })

// List all files in a directory
listFiles({ directory: 'src/components' })

// List only TypeScript files
listFiles({ directory: 'src/components', pattern: '*.{ts,tsx}' })
