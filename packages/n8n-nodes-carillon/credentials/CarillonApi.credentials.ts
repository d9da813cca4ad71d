import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from "n8n-workflow";

export class CarillonApi implements ICredentialType {
  name = "carillonApi";

  displayName = "Carillon API";

  icon: Icon = { light: "file:../icons/carillon.svg", dark: "file:../icons/carillon.dark.svg" };

  documentationUrl = "https://www.npmjs.com/package/@carillon/n8n-nodes-carillon";

  properties: INodeProperties[] = [
    {
      displayName: "Server Address",
      name: "url",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://social.example.com",
      description: "The address of your Carillon server, without /v1",
    },
    {
      displayName: "Token",
      name: "token",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "A personal token. Create one under Developers in the dashboard.",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.token}}" } },
  };

  /** n8n sends this when the credential is saved. n8n ignores rules for statuses, so these rules look at the body of any answer. */
  test: ICredentialTestRequest = {
    request: {
      ...{ baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: "/v1/me", method: "GET" },
      ignoreHttpStatusErrors: true,
    },
    rules: [
      {
        type: "responseSuccessBody",
        properties: {
          ...{ key: "error", value: "Unauthorized" },
          message: "The token is wrong, expired or revoked. Create another one under Developers in the dashboard.",
        },
      },
      {
        // The answer is not a person, which would have an id, but another error or a web page.
        type: "responseSuccessBody",
        properties: {
          ...{ key: "id", value: undefined },
          message:
            "This is not the address of a Carillon server. Use one such as https://social.example.com, without /v1.",
        },
      },
    ],
  };
}
