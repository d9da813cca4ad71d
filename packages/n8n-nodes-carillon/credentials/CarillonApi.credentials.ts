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

  /** n8n sends this when the credential is saved. */
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: "/v1/me", method: "GET" },
    // The type allows one kind of rule only. n8n applies both kinds, one to errors and one to answers.
    rules: [
      {
        type: "responseCode",
        properties: {
          value: 401,
          message: "The token is wrong, expired or revoked. Create another one under Developers in the dashboard.",
        },
      },
      {
        type: "responseCode",
        properties: { value: 404, message: "This is not the address of a Carillon server. Leave out /v1." },
      },
      {
        // A web page instead of a person: it has no id.
        type: "responseSuccessBody",
        properties: {
          key: "id",
          value: undefined,
          message: "A web page answered. Use the address of a Carillon server, such as https://social.example.com.",
        },
      },
    ] as ICredentialTestRequest["rules"],
  };
}
