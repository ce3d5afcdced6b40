import {param, type AddRoute} from '../edge/request.ts'
import type {Access} from './access.ts'
import type {Organization} from './organization.ts'

interface OrganizationRoutes {
  organization: Organization
  access: Access
}

/** Projects and users. Section 4.5. */
export function addOrganizationRoutes(
  add: AddRoute,
  {organization, access}: OrganizationRoutes,
): void {
  add('GET', '/projects', (request) =>
    request.json({items: access.projects(request.get('principal'))}),
  )

  add('GET', '/projects/:projectId', (request) =>
    request.json({...access.project(request.get('principal'), param(request, 'projectId'))}),
  )

  add('GET', '/users', (request) => request.json({items: organization.users()}))
}
