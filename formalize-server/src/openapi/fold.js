// A plugin of Swagger UI: below the responses of an operation, a button shows those that nearly all operations have.
const FoldCommonRefusals = ({ React: { createElement, useState } }) => ({
  wrapComponents: {
    responses: (Responses) => function FoldedResponses(props) {
      const [isOpen, setOpen] = useState(false);
      const isCommon = (_, status) => COMMON_REFUSALS.includes(Number(status));
      const common = props.responses.filter(isCommon).keySeq().join(", ");
      const responses = isOpen ? props.responses : props.responses.filterNot(isCommon);
      const button = { className: "btn common-refusals", "aria-expanded": isOpen, onClick: () => setOpen(!isOpen) };
      return createElement(
        "div",
        null,
        createElement(Responses, { ...props, responses }),
        common && createElement("button", button, `${isOpen ? "Hide" : "Show"} common refusals: ${common}`),
      );
    },
  },
});
