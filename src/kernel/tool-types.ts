import type { z } from 'zod'
import type { AnyTool } from './contract.ts'

/** The input of one tool, and the `data` of its outcome. */
export interface ToolTypes<Input = unknown, Data = unknown> {
  readonly input: Input
  readonly data: Data
}

/** Tools whose names are known only at run time: any name, any input. */
export type AnyTools = Readonly<Record<string, ToolTypes>>

/** The tools of a union by their names. */
export type ToolsIn<Listed extends AnyTool<never>> = string extends Listed['name']
  ? AnyTools
  : { readonly [Name in Listed['name']]: TypesOf<Extract<Listed, { readonly name: Name }>> }

type TypesOf<One extends AnyTool<never>> = ToolTypes<z.input<One['input']>, z.output<One['output']>>

/** The input of the tool `Name`. */
export type InputOf<Tools, Name> = Name extends keyof Tools
  ? Tools[Name] extends ToolTypes<infer Input>
    ? Input
    : never
  : never

/** The `data` in the outcome of the tool `Name`. */
export type DataOf<Tools, Name> = Name extends keyof Tools
  ? Tools[Name] extends ToolTypes<unknown, infer Data>
    ? Data
    : never
  : never
