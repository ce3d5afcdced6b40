import type {Automation} from '../../../src/platform/model.ts'
import {all, type Contract} from './contract.ts'

let creations = 0

/** A key of creation that no other test has. */
export function newRequestId(): string {
  return `creation-${++creations}`
}

type Fields = Omit<Parameters<ReturnType<Contract['client']>['createAutomation']>[0], 'requestId'>

/** A new automation of the human key, for the project `project_web` unless said otherwise. */
export async function createAutomation(
  contract: Contract,
  fields: Partial<Fields>,
): Promise<Automation> {
  const requestId = newRequestId()
  const order = {requestId, projectId: 'project_web', prompt: 'quick look', ...fields}
  return contract.client().createAutomation(order, contract.signal)
}

/** An automation as the list shows it now. */
export async function readAutomation(
  contract: Contract,
  automationId: string,
): Promise<Automation> {
  const {signal} = contract
  const automations = await all(contract.client().listAutomations({}, signal))
  const found = automations.find(({id}) => id === automationId)
  if (found === undefined) throw new Error(`There is no automation ${automationId} in the list.`)
  return found
}

/** The ids of the threads that an action makes. */
export async function threadsMadeBy(
  {platform}: Contract,
  act: () => Promise<unknown>,
): Promise<string[]> {
  const before = new Set(platform.threads().map(({id}) => id))
  await act()
  return platform
    .threads()
    .map(({id}) => id)
    .filter((id) => !before.has(id))
}
