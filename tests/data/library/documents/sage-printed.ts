// What the document of sage prints as TypeScript: declarations, and so ambient.
import type { z } from 'zod'
import type { JSONSchema, ToolLog, ToolSchema } from 'toolwright/sage'

export declare namespace printed {
  export interface Tool<I, O> {
    name: string;
    description?: string;
    schema: JSONSchema; // for LLM tool-calls
    validate(input: unknown): I; // Zod runtime validation
    execute(input: I, ctx: ToolContext): Promise<ToolResult<O>>;
    version?: string; // semantic version per tool
  }

  export interface ToolContext {
    cwd: string;
    env?: Record<string, string>;
    dryRun?: boolean;
    permissions?: string[]; // e.g., ["fs:read", "fs:write:src/**"]
    logger?: (evt: ToolLog) => void;
    /**
     * An optional secret provider for just-in-time value injection.
     * If provided, the tool runner is responsible for placeholder substitution.
     */
    secretProvider?: import("@sage/utils").SecretProvider;
  }

  export interface ToolResult<T> {
    ok: boolean;
    data?: T;
    error?: { code: string; message: string };
    meta?: { startedAt: string; endedAt: string; durationMs: number };
  }

  export interface ToolRegistry {
    /**
     * Register a tool in the registry
     */
    register(tool: Tool<any, any>): void;

    /**
     * Get a tool by name
     */
    get(name: string): Tool<any, any>;

    /**
     * Get all tool schemas for LLM tool-calling
     */
    getToolSchemas(): ToolSchema[];

    /**
     * Check if a tool is registered
     */
    has(name: string): boolean;

    /**
     * Remove a tool from the registry
     */
    remove(name: string): void;

    /**
     * Clear all tools from the registry
     */
    clear(): void;
  }

  export interface ReadToolInput {
    file: string;
  }

  export interface ReadToolOutput {
    content: string;
  }

  /**
   * Create a Read tool instance
   */
  export function createReadTool(): Tool<ReadToolInput, ReadToolOutput>;

  export interface WriteToolInput {
    file: string;
    content: string;
  }

  export interface WriteToolOutput {
    written: boolean;
  }

  /**
   * Create a Write tool instance
   */
  export function createWriteTool(): Tool<WriteToolInput, WriteToolOutput>;

  export interface EditToolInput {
    file: string;
    patch: string; // unified diff
    strategy?: "apply" | "check";
  }

  export interface EditToolOutput {
    applied: boolean;
    diff?: string;
  }

  /**
   * Create an Edit tool instance
   */
  export function createEditTool(): Tool<EditToolInput, EditToolOutput>;

  export interface BashToolInput {
    command: string;
    args?: string[];
  }

  export interface BashToolOutput {
    stdout: string;
    stderr: string;
    exitCode: number;
  }

  /**
   * Create a Bash tool instance
   */
  export function createBashTool(): Tool<BashToolInput, BashToolOutput>;

  export interface GraphQueryToolInput {
    query: string;
    params?: Record<string, any>;
    commit?: string;
  }

  export interface GraphQueryToolOutput {
    results: any[];
  }

  /**
   * GraphQuery tool instance
   */
  export const GraphQuery: Tool<GraphQueryToolInput, GraphQueryToolOutput>;

  /**
   * An interface for a provider that can resolve secret values from a secure backend.
   * This is the core of the Vault-Warden Protocol.
   */
  export interface SecretProvider {
    /**
     * Fetches a secret value by its key.
     * @param key The identifier of the secret (e.g., "GITHUB_API_KEY").
     * @returns The secret value, or undefined if not found.
     */
    get(key: string): Promise<string | undefined>;
  }

  export interface ToolDefinition<T extends z.ZodObject<any> = any> {
    name: string;
    description: string;
    parameters: T;
    implementation: (
      args: z.infer<T>,
      context: ToolContext
    ) => Promise<any>;
  }

  /**
   * Define a custom tool
   */
  export function defineTool<T extends z.ZodObject<any>>(
    definition: ToolDefinition<T>
  ): Tool<z.infer<T>, any>;
}
