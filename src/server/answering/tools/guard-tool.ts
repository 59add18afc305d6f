import type { Tool } from 'ai'
import { OutputWithImages } from './tool-images.ts'
import type { ModelLimits } from '../../models/model-limits.ts'
import { abortable } from '../../../async/abort.ts'

export interface GuardOptions {
  limits: Pick<ModelLimits, 'toolTimeoutMs' | 'maxToolInputBytes' | 'maxToolResultBytes'>
  onWarning: (message: string, cause?: unknown) => void
}

/** A failure as the model and the visitor see it; the cause is only logged. */
export class ToolFailure extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'ToolFailure'
  }
}

/** Bounds a tool in time and result size. The tool throws only `ToolFailure` and stops with the answer. */
export function guardTool<T extends Tool>(name: string, tool: T, { limits, onWarning }: GuardOptions): T {
  const { execute } = tool
  if (!execute) return tool
  const guarded: typeof execute = async (input, options) => {
    if (sizeOf(input) > limits.maxToolInputBytes) throw new ToolFailure('The input of the tool is too long.')
    const signal = AbortSignal.any([AbortSignal.timeout(limits.toolTimeoutMs), ...(options.abortSignal ? [options.abortSignal] : [])])
    try {
      const output: unknown = await abortable(Promise.resolve(execute(input, { ...options, abortSignal: signal })), signal)
      return withinSize(output, limits.maxToolResultBytes)
    } catch (cause) {
      if (options.abortSignal?.aborted) throw new ToolFailure('The tool was stopped.')
      // The tool's own message may quote the conversation.
      onWarning(`The tool ${name} failed; returning an error to the model`, cause instanceof ToolFailure ? undefined : cause)
      throw cause instanceof ToolFailure
        ? cause
        : new ToolFailure(signal.aborted ? 'The tool took too long and was stopped.' : 'The tool could not finish.')
    }
  }
  return { ...tool, execute: guarded }
}

function withinSize(output: unknown, maxBytes: number): unknown {
  // Images are bounded separately.
  const counted = output instanceof OutputWithImages ? output.output : output
  if (sizeOf(counted) > maxBytes) throw new ToolFailure('The result of the tool is too long.')
  return output
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null')
}
