/** The tools for MCP clients, served by a program of your own. */
export { createMcpServer, type McpServerOptions } from './surfaces/mcp/create-mcp-server.ts'
export { serveStdio, type ServeOptions, type Serving } from './surfaces/mcp/serve-stdio.ts'
