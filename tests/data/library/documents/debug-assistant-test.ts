// The contract test that the document of debug-assistant prints.
import { ReadFileTool } from 'toolwright/debug-assistant'

declare function describe(name: string, body: () => void): void
declare function test(name: string, body: () => Promise<void>): void
declare function expect(value: unknown): { toBe(wanted: unknown): void; toHaveProperty(name: string): void }

describe('ReadFileTool Contract', () => {
  test('validates input parameters', async () => {
    const invalidInput = { filePath: 123 };  // Wrong type
    const result = await ReadFileTool.execute(invalidInput);
    expect(result.success).toBe(false);
    expect(result.error?.code).toBe('INVALID_PARAMETERS');
  });
  
  test('returns correct output structure', async () => {
    const result = await ReadFileTool.execute({ filePath: 'test.ts' });
    expect(result).toHaveProperty('success');
    if (result.success) {
      expect(result.data).toHaveProperty('filePath');
      expect(result.data).toHaveProperty('content');
      expect(result.data).toHaveProperty('lineCount');
    }
  });
});
