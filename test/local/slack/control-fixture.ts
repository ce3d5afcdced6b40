import {z} from 'zod'
import type {LocalSlack} from '../../../local/slack/server.ts'

const bodySchema = z.record(z.string(), z.unknown())

/** Asks the control API as another process does. */
export async function askControl(
  {origin}: LocalSlack,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<{status: number; body: Record<string, unknown>}> {
  const response = await fetch(`${origin}/control${path}`, {
    method,
    headers: {'content-type': 'application/json'},
    ...(body !== undefined && {body: JSON.stringify(body)}),
  })
  return {status: response.status, body: bodySchema.parse(await response.json())}
}
