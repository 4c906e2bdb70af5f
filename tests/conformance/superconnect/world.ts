import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/temporary-workspace.ts'
import type { Toolkit, ToolkitOptions } from '../../../src/toolkit.ts'

export const FILES = {
  'src/components/Button.tsx': `import * as React from 'react'
export function Button(props: { label: string }) {
  return <button>{props.label}</button>
}
export type ButtonProps = { label: string }
`,
  'src/components/Link.tsx': `export const Link = () => <a href="/" />\n`,
  'src/components/list.component.ts': `import { Component } from '@angular/core'
@Component({ selector: 'app-list', template: '' })
export class ListComponent {}
`,
  'src/theme/tokens.ts': 'export const tokens = { red: "#f00" }\n',
  'README.md': '# A shop\n',
}

/** An answer, good or bad, as far as the tests look at it. */
export interface Answer {
  readonly files: readonly { readonly path: string }[]
  readonly content: string
  readonly error: { readonly code: string; readonly message: string }
}

/** A repository with a few components, and calls of the superconnect tools in it. */
export async function shop(
  files: Readonly<Record<string, string>> = FILES,
  options: Omit<ToolkitOptions, 'root' | 'env' | 'contract'> = {},
): Promise<{ workspace: TemporaryWorkspace; kit: Toolkit; call: (tool: string, input: unknown) => Promise<Answer> }> {
  const workspace = temporaryWorkspace(files)
  const kit = await workspace.open({ contract: 'superconnect', task: 'Button', ...options })
  return { workspace, kit, call: async (tool, input) => Object(await kit.call(tool, input)) }
}
