import type {Workspace} from '../workspace/workspace.ts'

/** Whether a whole organization has the app, in what people do: https://docs.slack.dev/reference/interaction-payloads */
export function ownerFields({app: {organization}}: Pick<Workspace, 'app'>) {
  return {enterprise: organization ?? null, is_enterprise_install: organization !== undefined}
}

/** The same in a slash command, where everything is text. */
export function ownerTexts({app: {organization}}: Pick<Workspace, 'app'>) {
  if (organization === undefined) return {is_enterprise_install: 'false'}
  const {id, name} = organization
  return {enterprise_id: id, enterprise_name: name, is_enterprise_install: 'true'}
}
