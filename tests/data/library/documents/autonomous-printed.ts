// The shapes that the document of autonomous prints.

export type ToolDefinition = {
	name: string
	description?: string
	execute(input: unknown): Promise<unknown>
}

export type ToolResult = {
	name: string
	input: unknown
	output?: unknown
	error?: string
}

export type ValidationResult = {
	valid: boolean
	errors: string[]
	warnings: string[]
}

export type PlanItem = {
	id: string
	content: string
	status: "pending" | "in_progress" | "completed"
}
